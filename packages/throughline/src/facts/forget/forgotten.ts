import { addHash, hasHash, shortHashOf } from './hash-set.ts'
import type { Facts } from '../facts.ts'
import type { FactsState } from '../fold-memory.ts'

// No name begins like this.
const fileMark = '\0'

/** A name is forgotten; that the session held it is not. */
export function markName({ memory }: FactsState, name: string): void {
  addHash(memory.forgotten, shortHashOf(name))
}

/** The same of a file, of the ends of its path, and of the directories that it is in. */
export function markFile(facts: FactsState, path: string): void {
  const { forgotten } = facts.memory
  addHash(forgotten, shortHashOf(fileMark + path))
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (!addHash(forgotten, shortHashOf(`${fileMark}${path.slice(0, end)}/`))) break
  }
  markName(facts, path)
  markName(facts, endOf(path, 2))
  markName(facts, endOf(path, 1))
}

/** Whether the session knew this file and has forgotten it. */
export function isForgottenFile({ memory }: FactsState, path: string): boolean {
  return hasHash(memory.forgotten, shortHashOf(fileMark + path))
}

/** Whether the session has forgotten files in this directory, at any depth. */
export function hasForgottenFilesIn({ memory }: FactsState, directory: string): boolean {
  return hasHash(memory.forgotten, shortHashOf(`${fileMark}${directory}/`))
}

/** Whether the session held this name, or a path that ends with it, and has forgotten it. */
export function isForgotten(facts: Facts, name: string): boolean {
  const { memory } = facts as Partial<FactsState>
  if (memory === undefined || memory.forgotten.size === 0) return false
  return [name, endOf(name, 2)].some((end) => hasHash(memory.forgotten, shortHashOf(end)))
}

function endOf(path: string, segments: number): string {
  let start = path.length
  for (let left = segments; left > 0 && start > 0; left--) start = path.lastIndexOf('/', start - 1)
  return path.slice(start < 0 ? 0 : start + 1)
}
