import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** The lines of a file that are to be refused by the compiler, and those that are. */
export function compileErrors(folder: string, file: string): { asked: number[]; found: number[] } {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n')
  const asked = lines.flatMap((line, index) => (line.endsWith('// error') ? [index + 1] : []))
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'],
    { cwd: root, encoding: 'utf8' },
  )
  const found = stdout.split('\n').flatMap((line) => {
    const at = /^(\S.*)\((\d+),\d+\): error TS/.exec(line)
    if (!at) return []
    return at[1]?.endsWith(file) ? [Number(at[2])] : [Number.NaN]
  })
  return { asked, found: [...new Set(found)] }
}
