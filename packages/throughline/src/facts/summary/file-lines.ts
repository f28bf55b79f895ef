import { worthOfFile } from '../forget/worth.ts'
import { Ranking, type Worth } from './ranking.ts'
import type { FileFact } from '../facts.ts'
import type { Facts } from './known-facts.ts'
import type { Room } from './room.ts'

/** How many of the best files are looked at. */
const mostFiles = 100

/** A file that the reader should know about, and the line that says how it was used. */
export interface FileLine {
  path: string
  line: string
}

/** All files that are there, by how important they are. */
export function rankingOfFiles(index: Facts, worth: Worth): Ranking<FileFact> {
  const files: FileFact[] = []
  const values: number[] = []
  for (const file of index.files.values()) {
    if (file.state === 'deleted') continue
    files.push(file)
    const value = worthOfFile(file, index.names.get(file.path), worth.now)
    values.push(value * worth.ofFocus(file.path))
  }
  return new Ranking(files, values)
}

/** The most important files, best first, each with what was done with it. */
export function fileLines(
  ranking: Ranking<FileFact>,
  { room, tokens }: { room: Room; tokens: number },
): FileLine[] {
  const byLine = new Map<string, string>()
  for (let place = 0; place < mostFiles; place++) {
    const file = ranking.at(place)
    if (file) byLine.set(lineOf(file), file.path)
  }
  const taken = room.takeFitting(byLine.keys(), tokens)
  return taken.map((line) => ({ line, path: byLine.get(line) ?? '' }))
}

function lineOf(file: FileFact): string {
  const uses = [
    file.state === 'read' ? '' : file.state === 'edited' ? times('edited', file.edits) : file.state,
    file.reads === 0 ? '' : times('read', file.reads),
  ].filter((use) => use !== '')
  return `- ${file.path} (${uses.join(', ')}) [${file.seqs.at(-1)}]`
}

function times(verb: string, count: number): string {
  return count > 1 ? `${verb} ×${count}` : verb
}
