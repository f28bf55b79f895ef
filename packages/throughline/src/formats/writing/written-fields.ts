import { nameOf } from '../../json/fields.ts'

/** What we write where a harness wants to be told of a model, and the session names none. */
export const noModel = 'unknown'

/** The name of a model, if a record holds one. */
export function modelNameOf(value: unknown): string | undefined {
  const name = nameOf(value)
  return name === noModel ? undefined : name
}

/**
 * When something was said, for a file: a harness that finds a time to come, or none, waits or
 * goes wrong, so it is `now` there. In milliseconds since 1970.
 */
export function momentOf(at: number, now: number): number {
  return at > 0 && at < now ? Math.floor(at) : now
}
