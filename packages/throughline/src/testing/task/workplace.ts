import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { conventionsOf, type TaskFacts } from './task-facts.ts'

/** A temporary folder with the files of a task. */
export interface Workplace {
  folder: string
  /** What each of the files held at first, by its path. */
  files: ReadonlyMap<string, string>
  remove: () => Promise<void>
}

// How many lines a file has besides the one to change.
const otherLines = 60
const forbiddenFiles = 5

export async function makeWorkplace(facts: TaskFacts, parts: number): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'throughline-task-'))
  const files = new Map([['docs/conventions.md', conventionsOf(facts)]])
  for (let part = 1; part <= forbiddenFiles; part++) {
    files.set(`${facts.forbidden}/piece-${numbered(part)}.ts`, partText(part))
  }
  for (let part = 1; part <= parts; part++) {
    files.set(`src/part-${numbered(part)}.ts`, partText(part))
  }
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return { folder, files, remove: () => rm(folder, { recursive: true, force: true }) }
}

function numbered(part: number): string {
  return `${part}`.padStart(3, '0')
}

function partText(part: number): string {
  const lines = Array.from(
    { length: otherLines },
    (_, index) =>
      `  if (input % ${part + index + 2} === ${index}) return scale(input, ${part * 31 + index}) // case ${index} of part ${part}`,
  )
  return [
    `export const legacyLimit${numbered(part)} = ${part * 17}`,
    '',
    `export function part${numbered(part)}(input: number): number {`,
    ...lines,
    '  return input',
    '}',
    '',
  ].join('\n')
}
