import type { Guard } from './guard.ts'

/**
 * The text of the guard's file without the guard.
 * @throws Error if it does not stand there exactly once: the list must follow the code.
 */
export function deleted({ promise, guard, file, find, replace }: Guard, text: string): string {
  const pieces = text.split(find)
  if (pieces.length === 2) return pieces.join(replace)
  throw new Error(
    `${promise}: the guard "${guard}" occurs ${pieces.length - 1} times in ${file}, but must occur exactly once. Change its \`find\` in mutants/guards/.`,
  )
}
