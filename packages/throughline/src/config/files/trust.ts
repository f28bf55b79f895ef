import { createHash } from 'node:crypto'
import { mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { fieldsOf, nameOf, objectsOf } from '../../json/fields.ts'
import { replaceFile } from './replace-file.ts'
import type { Folders } from '../folders.ts'

/** A file of a project that the user trusts: as it was then, byte for byte. */
export interface TrustedFile {
  path: string
  sha256: string
}

const listName = 'trusted.json'
// A longer file is no configuration.
const longest = 1024 * 1024

/** Whether a file is trusted as it is now; `changed` if only as it was before. */
export async function isTrusted(file: string, folders: Folders): Promise<boolean | 'changed'> {
  const trusted = await readList(folders)
  if (trusted.length === 0) return false
  const real = await realpath(file).catch(() => undefined)
  const known = trusted.find(({ path }) => path === real)
  if (!known) return false
  return (await digestOf(file)) === known.sha256 ? true : 'changed'
}

/**
 * Trusts a file from now on, until it changes. Whatever it does, and whatever it imports, runs with
 * the user's rights.
 * @throws the system's error if it can't be read, or the list can't be written.
 */
export async function trustFile(file: string, folders: Folders): Promise<TrustedFile> {
  const path = await realpath(file)
  const sha256 = await digestOf(path)
  if (sha256 === undefined) throw Object.assign(new Error('not a file'), { code: 'EISDIR' })
  const others = (await readList(folders)).filter((known) => known.path !== path)
  await writeList([...others, { path, sha256 }], folders)
  return { path, sha256 }
}

/** Trusts nothing below a directory any more, and returns what was trusted. */
export async function forgetTrust(directory: string, folders: Folders): Promise<TrustedFile[]> {
  const root = await realpath(directory).catch(() => directory)
  const all = await readList(folders)
  const isBelow = ({ path }: TrustedFile): boolean =>
    !/^\.\.|^$/.test(folders.path.relative(root, path))
  const forgotten = all.filter(isBelow)
  if (forgotten.length > 0)
    await writeList(
      all.filter((each) => !isBelow(each)),
      folders,
    )
  return forgotten
}

async function readList(folders: Folders): Promise<TrustedFile[]> {
  if (folders.data === undefined) return []
  try {
    const text = await readFile(folders.path.join(folders.data, listName), 'utf8')
    return objectsOf(fieldsOf(JSON.parse(text))?.['files']).flatMap((each) => {
      const path = nameOf(each['path'])
      const sha256 = nameOf(each['sha256'])
      return path === undefined || sha256 === undefined ? [] : [{ path, sha256 }]
    })
  } catch {
    // Without a list that can be read, nothing is trusted.
    return []
  }
}

async function writeList(files: readonly TrustedFile[], { path, data }: Folders): Promise<void> {
  if (data === undefined) throw Object.assign(new Error('no home'), { code: 'ENOENT' })
  await mkdir(data, { recursive: true, mode: 0o700 })
  const text = `${JSON.stringify({ version: 1, files }, null, 2)}\n`
  await replaceFile(path.join(data, listName), text)
}

/** `undefined` for what isn't a file of a sensible size. */
async function digestOf(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile() || found.size > longest) return undefined
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
}
