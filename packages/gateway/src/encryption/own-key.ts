import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { randomBytes } from 'node:crypto'
import { GatewayConfigError } from '../operations/config.ts'

/** The keys of encryption that nobody has named, in a file: the first start makes it. */
export interface OwnKeys {
  /** Those of the file; none where there is no file. */
  read: () => Buffer[]
  /** The same, with a new one where there is no file. */
  make: () => Buffer[]
}

/**
 * Keys in a file that only its owner can read; `onMade` is told where a new one stands.
 * @throws GatewayConfigError where it cannot be read or written, or is empty.
 */
export function ownKeys(file: string, onMade: () => void): OwnKeys {
  function read(): Buffer[] {
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw failed(file, 'read', cause)
    }
    const keys = keysIn(text, file)
    // Another process may be about to write it, or was ended before it had: nothing is stored as it is for that.
    if (keys.length === 0) throw new GatewayConfigError(file, [`there is no key in it: ${advice}`])
    return keys
  }
  return {
    read,
    make() {
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        const key = randomBytes(32).toString('base64')
        writeFileSync(file, `${key}\n`, { flag: 'wx', mode: 0o600 })
        onMade()
      } catch (cause) {
        // Another process on this machine may have been faster.
        if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw failed(file, 'made', cause)
      }
      return read()
    },
  }
}

const advice = 'name another file in THROUGHLINE_KEY_FILE, or keys in THROUGHLINE_ENCRYPTION_KEYS'

function failed(file: string, done: string, cause: unknown): GatewayConfigError {
  const problem = `the key of encryption cannot be ${done} there: ${advice}`
  return new GatewayConfigError(file, [problem], { cause })
}

/**
 * Keys of 32 bytes each in base64, separated by commas or spaces. The first one encrypts, all decrypt.
 * @throws GatewayConfigError
 */
export function keysIn(text: string, place: string): Buffer[] {
  const keys = text
    .split(/[\s,]+/)
    .filter((each) => each !== '')
    .map((each) => Buffer.from(each, 'base64'))
  if (keys.some(({ length }) => length !== 32)) {
    throw new GatewayConfigError(place, ['each key is 32 bytes in base64: openssl rand -base64 32'])
  }
  return keys
}
