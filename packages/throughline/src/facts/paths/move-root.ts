import { isAbsolute, joinPath, relativeTo } from './clean-path.ts'
import { mergeFiles } from '../files.ts'
import { mergeNames } from '../names/merge.ts'
import type { FileFact, NameFact } from '../facts.ts'
import type { IndexState } from '../fold-memory.ts'

/**
 * Spells every path of the index from a new root. What was relative while no root was
 * known is taken as relative to the new one, so that one file keeps one fact.
 */
export function moveRoot(index: IndexState, root: string): void {
  const old = index.root
  const respell = (path: string): string => {
    const absolute = isAbsolute(path) || old === '' ? path : joinPath(old, path)
    const relative = relativeTo(root, absolute)
    return relative === '.' ? absolute : relative
  }
  const owner = (name: string): string => (index.files.has(name) ? respell(name) : name)
  for (const error of index.errors) error.owner = owner(error.owner)
  index.names = respellNames(index.names, respell, owner)
  index.memory.born = new Set([...index.memory.born].map(respell))
  index.files = respellFiles(index.files, respell, index.memory.born)
  index.root = root
  if (index.memory.current === root) index.memory.current = ''
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
