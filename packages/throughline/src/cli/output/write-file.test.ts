import { plainReason } from './write-reason.ts'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newDirectory } from '../testing/run-main.ts'
import { sessionFile, targetAt } from './target.ts'
import { writeTarget } from './write-file.ts'

it('replaces a file in one piece, keeps its mode, and leaves nothing beside it', async () => {
  const directory = newDirectory()
  const path = join(directory, 'out.txt')
  writeFileSync(path, 'old')
  chmodSync(path, 0o640)
  await writeTarget(await targetAt(path, [], directory), 'new')
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(statSync(path).mode & 0o777).toBe(0o640)
  expect(readdirSync(directory)).toEqual(['out.txt'])
})

it('is its owner’s alone from its first byte, whatever the umask', async () => {
  const directory = newDirectory()
  const before = process.umask(0)
  try {
    const modes: number[] = []
    const target = await targetAt(join(directory, 'out.txt'), [], directory)
    async function* pieces(): AsyncGenerator<string> {
      yield 'one'
      for (const name of readdirSync(directory)) {
        modes.push(statSync(join(directory, name)).mode & 0o777)
      }
      yield 'two'
    }
    await writeTarget(target, pieces())
    expect(modes).toEqual([0o600])
    expect(statSync(target.path).mode & 0o777).toBe(0o600)
  } finally {
    process.umask(before)
  }
})

it('writes through a symbolic link, which stays one', async () => {
  const directory = newDirectory()
  const real = join(directory, 'real.txt')
  const link = join(directory, 'link.txt')
  writeFileSync(real, 'old')
  symlinkSync(real, link)
  await writeTarget(await targetAt(link, [], directory), 'new')
  expect(readFileSync(real, 'utf8')).toBe('new')
  expect(readdirSync(directory).sort()).toEqual(['link.txt', 'real.txt'])
})

it('writes into a device and does not take its place', async () => {
  await writeTarget(await targetAt('/dev/null', [], '/'), 'gone')
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
})

it('leaves the old file and nothing else where the new one cannot take its name', async () => {
  const directory = newDirectory()
  const path = join(directory, 'out.txt')
  const target = await targetAt(path, [], directory)
  // Between the look and the write somebody makes a directory of that name.
  mkdirSync(path)
  writeFileSync(join(path, 'inside'), '')
  await expect(writeTarget(target, 'new')).rejects.toThrow(`-o ${path}: `)
  expect(existsSync(join(path, 'inside'))).toBe(true)
  expect(readdirSync(directory)).toEqual(['out.txt'])
})

it('refuses to write over the session, under whatever name', async () => {
  const directory = newDirectory()
  const session = join(directory, 'session.jsonl')
  const link = join(directory, 'link')
  writeFileSync(session, '{}')
  symlinkSync(session, link)
  for (const name of [session, link, `${directory}/./session.jsonl`, 'session.jsonl', './link']) {
    await expect(targetAt(name, [sessionFile(session)], directory)).rejects.toThrow(
      'this is the session itself',
    )
  }
})

it.each([
  ["EACCES: permission denied, mkdir '/home/me/.local'", 'permission denied'],
  ['ENOSPC: no space left on device, write', 'no space left on device'],
  ['database disk image is malformed', 'database disk image is malformed'],
])('says plainly why: %s', (message, reason) => expect(plainReason(message)).toBe(reason))
