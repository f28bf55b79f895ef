import type { SessionRow } from './row.ts'

/** A session in the object of `sessions --json`. */
export function sessionJson({
  id,
  at,
  newest,
  tokens,
  usable,
  compactions,
  title,
  facts,
}: SessionRow) {
  return {
    session: id,
    written: at,
    entries: newest,
    tokens: tokens ?? null,
    usable,
    compactions,
    title: title ?? null,
    format: facts.format ?? null,
    source: facts.source ?? null,
    model: facts.model ?? null,
    directory: facts.directory ?? null,
  }
}
