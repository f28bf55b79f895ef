import { harnesses } from '../../formats/harnesses.ts'
import type { Harness } from '../../formats/writing/harness.ts'

/** A harness by the name of its format or by the short one: `claude-code`, `claude`. */
export function harnessNamed(word: string): Harness | undefined {
  return harnesses.find(({ name, prefix }) => name === word || prefix === word)
}

/** How harnesses are called where they are named to the user. */
export function harnessWords(): string[] {
  return harnesses.map(({ name }) => name)
}
