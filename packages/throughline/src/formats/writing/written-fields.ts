import { nameOf } from '../../json/fields.ts'

/** Written where a harness requires a model's name and the session has none. */
export const noModel = 'unknown'

/** The name of a model, if a record holds one. */
export function modelNameOf(value: unknown): string | undefined {
  const name = nameOf(value)
  return name === noModel ? undefined : name
}

/**
 * The time of a message in a file: harnesses that find a future time, or none, wait or fail, so
 * these become `now`. In milliseconds since 1970.
 */
export function momentOf(at: number, now: number): number {
  return at > 0 && at < now ? Math.floor(at) : now
}
