const most = 3

/** Counts what fails in a plugin: after three failures in a row it leaves its client alone. */
export class Failures {
  #row = 0

  /** Something has worked. */
  over(): void {
    this.#row = 0
  }

  /** What this failure is in words, and whether it is one too many. */
  add(error: unknown): { reason: string; isLast: boolean } {
    this.#row += 1
    return {
      reason: error instanceof Error ? error.message : String(error),
      isLast: this.#row === most,
    }
  }
}

/** Why a plugin steps aside for good. */
export function failedTooOften(reason: string): string {
  return `it failed ${most} times in a row: ${reason}`
}
