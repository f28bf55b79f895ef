import type { ArgumentSpec, Command } from './command.ts'

/** What is wrong with the words that a command was given, for the user. */
export type Complaint = (message: string) => Error

/**
 * Gives each argument of a command its words.
 * @throws the error of `complaint` if one is missing or empty, or if there is a word too many.
 */
export function placeArguments(
  command: Pick<Command, 'name' | 'arguments'>,
  words: readonly string[],
  complaint: Complaint,
): Map<string, readonly string[]> {
  const placed = new Map<string, readonly string[]>()
  let next = 0
  for (const spec of command.arguments) {
    const own = words.slice(next, spec.rest ? undefined : next + 1)
    if (own.some((word) => word === '') || (own.length === 0 && !spec.optional)) {
      throw complaint(`which ${spec.name}? Give ${spec.give}`)
    }
    if (own.length > 0) placed.set(spec.name, own)
    next += own.length
  }
  const tooMuch = words[next]
  if (tooMuch === undefined) return placed
  throw complaint(`${atMost(command)}; ${JSON.stringify(tooMuch)} is one more`)
}

function atMost({ name, arguments: specs }: Pick<Command, 'name' | 'arguments'>): string {
  const [first, ...others] = specs
  if (first === undefined) return `${name} takes no arguments`
  if (others.length === 0) return `one ${first.name} at a time, please`
  return `${name} takes ${specs.map(shownArgument).join(' ')} and no more; put quotes around words that belong together`
}

/** An argument as the help shows it. */
export function shownArgument({ name, optional, rest }: ArgumentSpec): string {
  return (optional ? `[${name}]` : `<${name}>`) + (rest ? '...' : '')
}
