// Moments of finished games outside of the page.

/** Draws a picture (SVG) of the club on a canvas, and downloads it as PNG. */
export async function downloadPng(address: string, name: string): Promise<void> {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
  canvas.getContext("2d")!.drawImage(picture, 0, 0);
  const link = document.createElement("a");
  [link.href, link.download] = [canvas.toDataURL("image/png"), name];
  link.click();
}

/** The markup that shows a moment on a page of another site. */
export function frameOf(game: string, step: number, seat: string): string {
  const frame = document.createElement("iframe");
  frame.src = new URL(`/embed/game/${game}?moment=${step}&seat=${seat}`, location.href).href;
  [frame.width, frame.height, frame.title] = ["600", "315", document.title];
  return frame.outerHTML;
}
