import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A project with files that are too much for one window. */
export interface Workspace {
  directory: string
  files: readonly string[]
}

const lines = 260

/** Each file has a line that no other has. */
function markOf(number: number): string {
  return `marigold-${number}`
}

export async function makeWorkspace(directory: string, count: number): Promise<Workspace> {
  await mkdir(directory, { recursive: true })
  const files = Array.from({ length: count }, (_, index) =>
    join(directory, `notes-${index + 1}.txt`),
  )
  for (const [index, file] of files.entries()) {
    const number = index + 1
    const text = Array.from({ length: lines }, (_, line) =>
      line === lines / 2
        ? `The word of file ${number} is ${markOf(number)}.`
        : `Line ${line} of file ${number} tells of weather, harbours and ${(line * 7919 * number) % 9973} ships.`,
    ).join('\n')
    await writeFile(file, `${text}\n`)
  }
  return { directory, files }
}
