import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { claudeSession } from './testing/claude-session.ts'
import { newDirectory, newFile } from './testing/run-main.ts'

const bin = fileURLToPath(new URL('../../bin/throughline.js', import.meta.url))
const built = existsSync(new URL('../../dist/command.js', import.meta.url))
if (!built)
  console.warn('built.long.test.ts is skipped: dist is missing. npm test builds it first.')

// Neither the colours nor the configuration of whoever runs the tests.
const { FORCE_COLOR: _, THROUGHLINE_STORE: __, ...inherited } = process.env
const home = newDirectory()
const env = { ...inherited, NO_COLOR: '1', HOME: home, XDG_CONFIG_HOME: home, APPDATA: home }
const session = claudeSession({ turns: 12, steps: 6 })
const path = newFile('session.jsonl', session)

function ran(argv: readonly string[], input?: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...argv], {
    env,
    cwd: home,
    encoding: 'utf8',
    ...(input !== undefined && { input }),
  })
  return { code: status, out: stdout, err: stderr }
}

describe.skipIf(!built)('the built command', () => {
  it('compacts a file and standard input alike', () => {
    const file = ran(['compact', '--if-needed', path, '--window', '32k'])
    expect(file.code).toBe(0)
    expect(file.out).toMatch(/^=== note\nRefs that begin with [^]*\n\n=== summary\n/)
    expect(ran(['compact', '--if-needed', '-', '--window', '32k'], session).out).toBe(file.out)
  })

  it('ends with its exit codes, and prints no warning', () => {
    expect(ran(['--version'])).toMatchObject({ code: 0, err: '' })
    expect(ran(['report', '--fill', path])).toMatchObject({ code: 0, err: '' })
    expect(ran(['report', '--fill', '/none'])).toMatchObject({ code: 1, out: '' })
    expect(ran(['reprot'])).toMatchObject({ code: 2, out: '' })
    expect(ran(['report', '--fill', '-'], '').err).toMatch(
      /^throughline: standard input: [^\n]*\n$/,
    )
  })

  it('keeps its compiled code in the cache folder of the user, and nowhere if there is none', () => {
    const caches = newDirectory()
    const places = { HOME: undefined, LOCALAPPDATA: caches, TMPDIR: newDirectory() }
    const version = (XDG_CACHE_HOME: string | undefined) =>
      spawnSync(process.execPath, [bin, '--version'], {
        env: { ...env, ...places, XDG_CACHE_HOME },
        cwd: home,
      }).status
    const kept = () => readdirSync(caches)
    expect(version('not/absolute')).toBe(0)
    expect(kept()).toEqual([])
    expect(version(caches)).toBe(0)
    expect(kept()).toEqual(['throughline'])
    expect(version(caches)).toBe(0)
    expect(readdirSync(places.TMPDIR)).toEqual([])
  })

  it.skipIf(!existsSync('/dev/full'))('says so when standard output is full', () => {
    const full = openSync('/dev/full', 'w')
    const { status, stderr } = spawnSync(process.execPath, [bin, 'report', '--fill', path], {
      env,
      cwd: home,
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    })
    closeSync(full)
    expect(status).toBe(1)
    expect(stderr).toBe('throughline: standard output: there is no space left on the device.\n')
  })

  it('is quiet when its reader goes away', async () => {
    const child = spawn(process.execPath, [bin, 'compact', path, '--json'], { env, cwd: home })
    let err = ''
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    child.stdout.once('data', () => child.stdout.destroy())
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect(code).toBe(0)
    expect(err).not.toMatch(/EPIPE|at .*:\d+/)
  })

  it('stops at Ctrl-C while it waits for standard input', async () => {
    const child = spawn(process.execPath, [bin, 'compact', '-'], { env, cwd: home })
    let err = ''
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    // More than any pipe holds: it is written when the command has read most of it.
    child.stdin.write(session.repeat(60), () => child.kill('SIGINT'))
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect(err).toBe('throughline: interrupted while reading standard input; nothing was done.\n')
    expect(code).toBe(130)
  })
})

describe('the entry point', () => {
  it('loads no part of Node for a status line that it does not need', () => {
    const told = "process.on('exit', () => console.error(process.moduleLoadList.join('\\n')));"
    const argv = "process.argv.splice(1, Infinity, 'throughline', 'statusline');"
    const loading = (place: string) =>
      spawnSync(
        process.execPath,
        ['--input-type=module', '-e', `${told} ${argv} await import(${JSON.stringify(place)})`],
        { encoding: 'utf8', env, cwd: home, input: '{"model":{"id":"claude-opus-4-5"}}' },
      )
    const { status, stdout, stderr } = loading(bin)
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'no answer yet\n' })
    const usual = new Set(loading('data:text/javascript,').stderr.split('\n'))
    const loaded = stderr.split('\n').filter((each) => !usual.has(each))
    expect(loaded).not.toEqual([])
    // What an import of all that node:util exports would load, and the line editor.
    expect(loaded).not.toContain('NativeModule internal/util/diff')
    expect(loaded).not.toContain('NativeModule readline')
  })

  it('looks at the version of Node before it imports anything', () => {
    const source = readFileSync(bin, 'utf8')
    expect(source).not.toMatch(/^import |\bawait import/m)
    const check = "Object.defineProperty(process.versions, 'node', { value: '22.15.1' });"
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '-e', `${check} await import(${JSON.stringify(bin)})`],
      { encoding: 'utf8' },
    )
    expect(status).toBe(1)
    expect(stderr).toBe(
      'throughline: this is Node 22.15.1, but Node 22.16 or newer is required. Install it from https://nodejs.org and try again.\n',
    )
  })
})
