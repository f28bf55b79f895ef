import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Builds and packs the packages twice and compares the files byte for byte: npm run check:reproducible
const root = join(import.meta.dirname, '..')
const packages = ['packages/throughline', 'packages/gateway', 'packages/create']

function packed(): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-packed-'))
  try {
    run(['run', '--silent', 'build'])
    for (const name of packages) {
      run(['pack', `./${name}`, '--ignore-scripts', '--silent', '--pack-destination', folder])
    }
    return new Map(
      readdirSync(folder).map((file) => [
        file,
        createHash('sha512')
          .update(readFileSync(join(folder, file)))
          .digest('hex'),
      ]),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(argv: readonly string[]): void {
  const { status, stderr } = spawnSync('npm', argv, { cwd: root, encoding: 'utf8', shell: true })
  if (status !== 0) throw new Error(`npm ${argv.join(' ')} failed: ${stderr}`)
}

const first = packed()
const second = packed()
for (const [file, hash] of first) {
  const same = second.get(file) === hash
  console.log(`${file}: ${same ? `the same both times, sha512 ${hash.slice(0, 16)}…` : 'DIFFERS'}`)
  if (!same) process.exitCode = 1
}
