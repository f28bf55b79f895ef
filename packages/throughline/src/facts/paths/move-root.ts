import { isAbsolute, joinPath, relativeTo, onPlatform, platformOf } from './clean-path.ts'
import { mergeFiles } from '../files.ts'
import { mergeNames } from '../names/transitions.ts'
import type { FileFact, NameFact } from '../facts.ts'
import type { FactsState } from '../fold-memory.ts'

/**
 * Rewrites every path in the facts for a new root. Paths that were relative while no root was known
 * count as relative to the new one, so that one file keeps one fact.
 */
export function moveRoot(facts: FactsState, root: string): void {
  const old = facts.root
  const platform = platformOf({ ...facts, root })
  const respell = (path: string): string => {
    const absolute = isAbsolute(path) || old === '' ? path : joinPath(old, path)
    const relative = relativeTo(root, onPlatform(platform, absolute))
    return relative === '.' ? absolute : relative
  }
  const owner = (name: string): string => (facts.files.has(name) ? respell(name) : name)
  for (const error of facts.errors) error.owner = owner(error.owner)
  for (const statement of facts.statements) {
    if (statement.about !== undefined) statement.about = owner(statement.about)
  }
  facts.repository.changed = new Set([...facts.repository.changed].map(respell))
  facts.names = respellNames(facts.names, respell, owner)
  facts.memory.born = new Set([...facts.memory.born].map(respell))
  facts.files = respellFiles(facts.files, respell, facts.memory.born)
  facts.root = root
  facts.memory.spellings = new Map()
  if (facts.memory.current === root) facts.memory.current = ''
}

function respellFiles(
  files: Map<string, FileFact>,
  respell: (path: string) => string,
  born: ReadonlySet<string>,
): Map<string, FileFact> {
  const respelled = new Map<string, FileFact>()
  for (const file of files.values()) {
    const path = respell(file.path)
    const moved: FileFact = { ...file, path }
    if (file.from !== undefined) moved.from = respell(file.from)
    if (file.to !== undefined) moved.to = respell(file.to)
    const known = respelled.get(path)
    respelled.set(path, known ? mergeFiles(known, moved, born.has(path)) : moved)
  }
  return respelled
}

function respellNames(
  names: Map<string, NameFact>,
  respell: (path: string) => string,
  owner: (name: string) => string,
): Map<string, NameFact> {
  const respelled = new Map<string, NameFact>()
  for (const fact of names.values()) {
    const name = fact.kind === 'path' && isAbsolute(fact.name) ? respell(fact.name) : fact.name
    const moved = { ...fact, name, owner: owner(fact.owner) }
    const known = respelled.get(name)
    respelled.set(name, known ? mergeNames(known, moved) : moved)
  }
  return respelled
}
