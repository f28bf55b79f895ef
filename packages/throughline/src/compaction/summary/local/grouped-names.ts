import type { FileLine } from './file-lines.ts'
import type { ListedName } from './name-list.ts'

/**
 * The lines of the files with their names behind them, then a line for each other file of
 * the list that has names, then what belongs to none of them.
 */
export function groupedNames(files: readonly FileLine[], names: readonly ListedName[]): string[] {
  const owners = new Map<string, string[]>(files.map(({ path }) => [path, []]))
  for (const { name, kind } of names) if (kind === 'path') owners.set(name, [])
  const loose: ListedName[] = []
  for (const entry of names) {
    const own = entry.kind === 'path' ? undefined : owners.get(entry.owner)
    if (own) own.push(entry.name)
    else loose.push(entry)
  }
  const listed = new Set(files.map(({ path }) => path))
  const lines = files.map(({ path, line }) => withNames(line, owners.get(path) ?? []))
  const more: string[] = []
  for (const [path, own] of owners) {
    if (!listed.has(path) && own.length > 0) more.push(withNames(path, own))
  }
  const paths = loose.filter(({ name, kind }) => kind === 'path' && owners.get(name)?.length === 0)
  const others = loose.filter(({ kind }) => kind !== 'path')
  return [...lines, ...more, ...line('More paths:', paths), ...line('More names:', others)]
}

function withNames(line: string, names: readonly string[]): string {
  return names.length === 0 ? line : `${line}: ${names.join(' ')}`
}

function line(label: string, names: readonly ListedName[]): string[] {
  return names.length === 0 ? [] : [`${label} ${names.map(({ name }) => quoted(name)).join(' ')}`]
}

function quoted(name: string): string {
  return name.includes(' ') ? `"${name}"` : name
}
