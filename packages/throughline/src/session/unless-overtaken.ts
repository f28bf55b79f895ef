import { StoreConflictError } from './errors.ts'

/**
 * Decides and writes on the log as it is now, and again where somebody else has written meanwhile.
 * @throws StoreConflictError if others were faster in each of the attempts.
 */
export async function unlessOvertaken<Result>(
  attempts: number,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!StoreConflictError.isInstance(error) || attempt >= attempts) throw error
    }
  }
}
