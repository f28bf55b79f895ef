import { spawn } from 'node:child_process'
import {
  appendFileSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { draft } from '../../testing/conformance/store-drafts.ts'
import { jsonLinesStore } from './json-lines-store.ts'
import { readSessionFile, type SessionFile } from './session-file.ts'
import { redactText } from '../../log/redaction/redaction.ts'
import { rewritingOf } from '../../session/operations/redaction.ts'
import { runs } from '../../testing/generate/runs.ts'
import { storeConformance } from '../../testing/conformance/store-conformance.ts'
import type { Entry } from '../../log/entry.ts'
import type { Store } from '../../session/store.ts'

const root = mkdtempSync(join(tmpdir(), 'throughline-lines-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0

const newDirectory = (): string => join(root, `${folders++}`)
const open = (directory = newDirectory()): Store => jsonLinesStore({ directory, busyTimeout: 50 })

function sessionFiles(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(directory, name))
}

function onlyFile(directory: string): string {
  const [file = '', ...more] = sessionFiles(directory)
  expect(more).toEqual([])
  return file
}

const textOf = (entry: Entry | undefined): string =>
  entry?.kind === 'message' ? String(entry.message.content) : ''

describe('jsonLinesStore', () => {
  for (const { name, run } of storeConformance) {
    test(name, async () => {
      await expect(run(() => open())).resolves.toBeUndefined()
    })
  }
})

test('a file that another process writes anew while it is read is read again', async () => {
  const directory = newDirectory()
  const store = open(directory)
  await store.append('a', [draft('first'), draft('second')])
  const path = onlyFile(directory)
  const whole = readSessionFile(path) as SessionFile
  const other = open(directory)
  let redacted: Promise<unknown> | undefined
  const known: SessionFile = {
    ...whole,
    // It is asked for when the file is already open.
    get end() {
      redacted ??= other.redact('a', rewritingOf(redactText('second'), 0))
      return whole.end
    },
  }
  const entries = readSessionFile(path, known)?.entries
  await redacted
  expect(entries?.map(textOf)).toEqual(['first', '[redacted]', ''])
})

describe('a process that is killed', () => {
  test('loses nothing that was acknowledged, wherever its last line was torn off', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 }),
        fc.nat(),
        async (appends, cut) => {
          const directory = newDirectory()
          const store = open(directory)
          const ends: { size: number; entries: number }[] = []
          let entries = 0
          for (const count of appends) {
            await store.append(
              'a',
              Array.from({ length: count }, () => draft(`é ${entries++}`)),
            )
            ends.push({ size: readFileSync(onlyFile(directory)).length, entries })
          }
          const file = onlyFile(directory)
          const size = cut % ((ends.at(-1)?.size ?? 0) + 1)
          truncateSync(file, size)
          const left = ends.findLast((end) => end.size <= size)?.entries ?? 0
          const again = open(directory)
          expect(await again.read('a')).toHaveLength(left)
          const [next] = await again.append('a', [draft('next')], { newest: left })
          expect(next?.seq).toBe(left + 1)
          // What was torn off may hold a secret.
          expect(readFileSync(file).at(-1)).toBe(10)
          expect(await open(directory).read('a')).toHaveLength(left + 1)
        },
      ),
      runs(60),
    )
  })

  test('in the midst of its writing leaves whole appends, and nobody waits for it', async () => {
    const directory = newDirectory()
    const killed = writer(directory, 'killed', 1_000_000)
    await killed.said(20)
    killed.process.kill('SIGKILL')
    await killed.ended
    const store = open(directory)
    const entries = await store.read('shared')
    for (const { seq, name, round } of killed.acknowledged()) {
      expect(textOf(entries[seq - 1])).toMatch(new RegExp(`^${name} ${round} `))
    }
    expect(entries.length % 2).toBe(0)
    expect((await store.append('shared', [draft('after')]))[0]?.seq).toBe(entries.length + 1)
  })

  test('with the lock in its hand is not waited for, but one that lives is', async () => {
    const directory = newDirectory()
    const store = open(directory)
    await store.append('a', [draft('1')])
    const lock = join(
      directory,
      readdirSync(directory).find((name) => name.startsWith('lock-')) ?? '',
    )
    const gone = spawn(process.execPath, ['-e', ''])
    await new Promise((resolve) => gone.on('exit', resolve))
    writeFileSync(lock, `${gone.pid} ${hostname()}`)
    await store.append('a', [draft('2')])
    const next = join(
      directory,
      readdirSync(directory).find((name) => name.startsWith('lock-')) ?? '',
    )
    for (const holder of [
      `${process.ppid} ${hostname()}`,
      '1 elsewhere',
      `${process.pid} ${hostname()}`,
    ]) {
      writeFileSync(next, holder)
      await expect(store.append('a', [draft('x')])).rejects.toMatchObject({ failure: 'busy' })
      expect(await store.read('a')).toHaveLength(2)
    }
    writeFileSync(next, 'free')
    await store.append('a', [draft('3')])
    expect((await store.read('a')).map(textOf)).toEqual(['1', '2', '3'])
  })
})

describe('a folder whose files were damaged', () => {
  test('is busy only for a while where its lock says nothing that can be read', async () => {
    const directory = newDirectory()
    const store = open(directory)
    await store.append('a', [draft('1')])
    const lock = (): string =>
      join(directory, readdirSync(directory).find((name) => name.startsWith('lock-')) ?? '')
    for (const bytes of ['fr\0e', '', '12#4 ' + hostname().slice(1), '\uFFFD\uFFFD']) {
      writeFileSync(lock(), bytes)
      await expect(store.append('a', [draft('x')])).rejects.toMatchObject({ failure: 'busy' })
      const long = Date.now() / 1000 - 3_600
      utimesSync(lock(), long, long)
      await store.append('a', [draft('after')])
    }
    expect(await store.read('a')).toHaveLength(5)
  })

  test('is not read as if nothing had happened where lines have changed places', async () => {
    const directory = newDirectory()
    const store = open(directory)
    for (const text of ['1', '2', '3', '4']) await store.append('a', [draft(text)])
    const file = onlyFile(directory)
    const [head, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
    for (const order of [
      [1, 0, 2, 3],
      [0, 2, 1, 3],
      [0, 1, 1, 2],
    ]) {
      writeFileSync(file, [head, ...order.map((at) => lines[at]), ''].join('\n'))
      await expect(open(directory).read('a')).rejects.toMatchObject({ failure: 'damaged-line' })
    }
    // Files of older versions don't say where a line begins; they open as before.
    const older = [head?.replace(/,"checksum":\d+/, '')].concat(
      lines.map((line) => line.replace(/"(checksum|from)":\d+,/g, '')),
    )
    writeFileSync(file, [...older, ''].join('\n'))
    expect((await open(directory).read('a')).map(textOf)).toEqual(['1', '2', '3', '4'])
    await open(directory).append('a', [draft('5')], { newest: 4 })
    expect((await open(directory).read('a')).map(textOf)).toEqual(['1', '2', '3', '4', '5'])
  })

  test('gives what was stored up to some entry, or says that a line is damaged', async () => {
    const directory = newDirectory()
    const store = open(directory)
    for (let n = 0; n < 20; n++) await store.append('a', [draft(`é${n} ${'lorem '.repeat(n)}`)])
    const stored = await store.read('a')
    const file = onlyFile(directory)
    const bytes = readFileSync(file)
    const place = fc.nat(bytes.length - 1)
    let refused = 0
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.record({
            how: fc.constant('flip' as const),
            at: place,
            by: fc.integer({ min: 0, max: 7 }),
          }),
          fc.record({
            how: fc.constant('fill' as const),
            at: place,
            by: fc.constantFrom(0, 0x30, 0xff),
          }),
          fc.record({ how: fc.constant('copy' as const), at: place, by: place }),
        ),
        async ({ how, at, by }) => {
          const content = Buffer.from(bytes)
          if (how === 'flip') content[at] = (content[at] ?? 0) ^ (1 << by)
          else if (how === 'fill') content.subarray(at, at + 40).fill(by)
          else bytes.copy(content, at, by, by + 40)
          writeFileSync(file, content)
          const read = await open(directory)
            .read('a')
            .catch((error: unknown) => error)
          if (Array.isArray(read)) expect(read).toEqual(stored.slice(0, read.length))
          else expect(read).toMatchObject({ failure: 'damaged-line', file })
          if (!Array.isArray(read)) refused += 1
        },
      ),
      runs(300),
    )
    expect(refused).toBeGreaterThan(200)
  })
})

describe('several processes', () => {
  test('write one after the other, each append in one piece', async () => {
    const directory = newDirectory()
    const writers = ['a', 'b', 'c'].map((name) => writer(directory, name, 25))
    await Promise.all(writers.map(({ ended }) => ended))
    const entries = await open(directory).read('shared')
    expect(entries).toHaveLength(150)
    const acknowledged = writers.flatMap((each) => each.acknowledged())
    expect(acknowledged).toHaveLength(75)
    for (const { seq, name, round } of acknowledged) {
      for (const entry of entries.slice(seq - 1, seq + 1)) {
        expect(textOf(entry)).toMatch(new RegExp(`^${name} ${round} `))
      }
    }
  })
})

describe('a file', () => {
  test('that is damaged in its midst is an error that names it, and is not written to', async () => {
    const directory = newDirectory()
    const store = open(directory)
    await store.append('a', [draft('1')])
    appendFileSync(onlyFile(directory), '{"writing":2,"entr\n')
    const before = readFileSync(onlyFile(directory))
    for (const work of [() => store.read('a'), () => store.append('a', [draft('2')])]) {
      await expect(work()).rejects.toMatchObject({
        failure: 'damaged-line',
        file: onlyFile(directory),
      })
    }
    expect(readFileSync(onlyFile(directory))).toEqual(before)
  })

  test('of another session is damaged, and not that session', async () => {
    const directory = newDirectory()
    const store = open(directory)
    await store.append('a', [draft('of a')])
    const first = onlyFile(directory)
    await store.append('b', [draft('of b')])
    const second = sessionFiles(directory).find((file) => file !== first) ?? ''
    writeFileSync(second, readFileSync(first))
    const again = open(directory)
    expect((await again.read('a')).map(textOf)).toEqual(['of a'])
    for (const work of [() => again.read('b'), () => again.sessions()]) {
      await expect(work()).rejects.toMatchObject({ failure: 'damaged-line', file: second })
    }
  })

  test('is of one session, whatever its name is made of', async () => {
    const store = open()
    const names = ['\ud800', '\ud801', '\udc00', '\ufffd']
    for (const name of names) await store.append(name, [draft(JSON.stringify(name))])
    for (const name of names) {
      expect((await store.read(name)).map(textOf)).toEqual([JSON.stringify(name)])
    }
  })

  test.runIf(process.platform === 'linux')('that cannot be written is said so', async () => {
    const store = open('/sys/kernel')
    await expect(store.append('a', [draft('1')])).rejects.toMatchObject({ failure: 'read-only' })
  })

  test('holds no byte of what was redacted, and nothing of a session that was removed', async () => {
    const directory = newDirectory()
    const store = open(directory)
    const other = open(directory)
    await store.append('a', [draft('keep'), draft('it is hunter2hunter2')])
    await other.read('a')
    // Another name of the same bytes on the disk.
    const bytes = join(root, 'bytes')
    linkSync(onlyFile(directory), bytes)
    await store.redact('a', rewritingOf(redactText('hunter2hunter2'), 7))
    const all = () =>
      readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'))
    expect(all().join('\n')).not.toContain('hunter2')
    expect(readFileSync(bytes, 'utf8')).toMatch(/^\0+$/)
    expect((await other.read('a')).slice(0, 2).map(textOf)).toEqual(['keep', 'it is [redacted]'])
    await store.remove('a')
    expect(sessionFiles(directory)).toEqual([])
    expect(await other.read('a')).toEqual([])
  })
})

/** A process that appends, and what it says of that. */
function writer(directory: string, name: string, rounds: number) {
  const program = fileURLToPath(new URL('testing/writer.ts', import.meta.url))
  const child = spawn(process.execPath, [program, directory, name, `${rounds}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  let heard = (): void => {}
  child.stdout.on('data', (text: Buffer) => {
    said += text.toString()
    heard()
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const lines = (): string[] => said.split('\n').slice(0, -1)
  return {
    process: child,
    ended,
    said: (count: number) =>
      new Promise<void>((resolve) => {
        heard = () => lines().length >= count && resolve()
        heard()
      }),
    acknowledged: () =>
      lines().map((line) => {
        const [seq = '', by = '', round = ''] = line.split(' ')
        return { seq: Number(seq), name: by, round }
      }),
  }
}
