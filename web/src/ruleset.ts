// Finds places in the text of a ruleset file. The meaning of the file is determined by the club.

/** A place in a text; line and column count from 1. */
export interface Place {
  line: number;
  column: number;
}

/** The file of a built-in ruleset with a new id and title, so that the user can change its choices immediately. */
export function ownFile(file: string, id: string): string {
  return file
    .replace(/^id = .*$/m, `id = "my-${id}"`)
    .replace(/^title = "(.*)"$/m, (_, title: string) => `title = "${title}, my way"`);
}

/** The place of the error that the club found in a file. */
export function placeIn(why: string): Place | null {
  const found = /^line (\d+), column (\d+): /.exec(why);
  return found === null ? null : { line: Number(found[1]), column: Number(found[2]) };
}

/** The range from a place to the end of its line, in UTF-16 code units. */
export function rangeOf(text: string, { line, column }: Place): { start: number; end: number } {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const now = lines[line - 1] ?? "";
  const start = before + [...now].slice(0, column - 1).join("").length;
  return { start: Math.min(start, text.length), end: Math.min(before + now.length, text.length) };
}
