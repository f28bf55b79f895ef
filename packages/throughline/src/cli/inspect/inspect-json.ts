import type { SessionInput } from '../input/read-input.ts'
import type { WindowChoice } from '../window-choice.ts'
import type { Inspection } from './inspection.ts'

/** The object of `inspect --json`: everything, not only the largest. */
export function inspectJson(
  session: SessionInput,
  { window, from }: WindowChoice,
  found: Inspection,
) {
  const { facts } = session
  return {
    version: 1,
    session: {
      name: session.name,
      format: session.format,
      id: facts.id ?? null,
      model: facts.model ?? null,
      directory: facts.directory ?? null,
      entries: session.log.length,
      omitted: facts.omitted ?? {},
    },
    window: { ...window, from, usable: found.usable },
    context: {
      tokens: Math.round(found.tokens),
      messages: found.messages,
      measurement: found.measurement,
    },
    roles: found.roles.map(rounded),
    tools: found.tools.map(rounded),
    files: found.files.map(rounded),
    turns: found.turns.map(rounded),
    prunable: found.prunable,
    rules: found.rules,
    changed: found.changed.map(({ path, state, edits, from, to, seqs }) => ({
      path,
      state,
      edits,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      seqs,
    })),
    skipped: { count: session.skippedCount, lines: session.skipped },
  }
}

function rounded<Item extends { tokens: number }>(item: Item): Item {
  return { ...item, tokens: Math.round(item.tokens) }
}
