// The lobby, kept up to date by the changes that the socket sends.

import type { LobbyChangesJson, LobbyJson } from "./wire";

/** The list without the removed rows and with the new rows. A new row replaces the row with the same id, or is added at the end. */
function changed<T extends { id: string }>(rows: T[], gone: string[], fresh: T[]): T[] {
  const kept = rows
    .filter((row) => !gone.includes(row.id))
    .map((row) => fresh.find((one) => one.id === row.id) ?? row);
  const known = new Set(kept.map((row) => row.id));
  return [...kept, ...fresh.filter((row) => !known.has(row.id))];
}

function byAge(a: { begun: number; id: string }, b: { begun: number; id: string }): number {
  return a.begun - b.begun || (a.id < b.id ? -1 : 1);
}

/** The lobby after these changes. */
export function changedLobby(lobby: LobbyJson, changes: LobbyChangesJson): LobbyJson {
  const { gone } = changes;
  return {
    seeks: changed(lobby.seeks, gone, changes.seeks),
    challenges: changed(lobby.challenges, gone, changes.challenges),
    mine: changed(lobby.mine, gone, changes.mine).sort(byAge),
    running: changed(lobby.running, gone, changes.running).sort(byAge),
    programs: lobby.programs,
  };
}
