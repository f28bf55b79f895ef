import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { ThroughlineError } from 'throughline'

/** Something was encrypted with a key that this process doesn't have, or it was changed. */
export class SealError extends ThroughlineError<'SEAL'> {
  static override readonly code = 'SEAL'

  constructor(why: 'key' | 'changed') {
    super(SealError.code, messages[why])
  }
}

const messages = {
  key: 'This was encrypted with a key that is not here: copy the file that the first replica has named (THROUGHLINE_KEY_FILE), or name the key in THROUGHLINE_ENCRYPTION_KEYS.',
  changed: 'What was stored has been changed, or belongs to another session. It is not used.',
}

/** Encrypts what is stored. */
export interface Seal {
  /** `place` is where it will be stored: it can be read from there alone. */
  sealed: (bytes: Uint8Array, place: string) => Buffer
  /** @throws SealError */
  opened: (bytes: Uint8Array, place: string) => Buffer
  /** Whether it is stored as it would be now: not with an older key. */
  isCurrent: (bytes: Uint8Array) => boolean
}

// Of what is encrypted; JSON and other plain bytes never begin so.
const mark = Buffer.from([0xf5, 1])
const idLength = 8
const ivLength = 12
const tagLength = 16
const header = mark.length + idLength + ivLength + tagLength

/** What is sealed by what another seal says when it is asked. */
export function sealBy(seal: () => Seal): Seal {
  return {
    sealed: (bytes, place) => seal().sealed(bytes, place),
    opened: (bytes, place) => seal().opened(bytes, place),
    isCurrent: (bytes) => seal().isCurrent(bytes),
  }
}

/** A seal that changes nothing: what is stored is as readable as the database is. */
export const openSeal: Seal = {
  sealed: (bytes) => asBuffer(bytes),
  opened(bytes) {
    const plain = asBuffer(bytes)
    if (isSealed(plain)) throw new SealError('key')
    return plain
  },
  isCurrent: (bytes) => !isSealed(asBuffer(bytes)),
}

/**
 * AES-256-GCM with the first of these keys; what the others have encrypted, or nobody, is still
 * read. So a key is changed by naming a new one first, and the old one is left out when nothing
 * needs it any more.
 * @throws RangeError if a key is not 32 bytes long.
 */
export function sealWith(keys: readonly Uint8Array[]): Seal {
  if (keys.length === 0) return openSeal
  const byId = new Map<string, Uint8Array>()
  for (const key of keys) {
    if (key.length !== 32) throw new RangeError('A key of encryption is 32 bytes long.')
    byId.set(idOf(key).toString('hex'), key)
  }
  const [first] = keys as [Uint8Array]
  const id = idOf(first)
  return {
    sealed(bytes, place) {
      const iv = randomBytes(ivLength)
      const cipher = createCipheriv('aes-256-gcm', first, iv)
      cipher.setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(bytes), cipher.final()])
      return Buffer.concat([mark, id, iv, cipher.getAuthTag(), body])
    },
    opened(bytes, place) {
      const whole = asBuffer(bytes)
      if (!isSealed(whole)) return whole
      const after = mark.length + idLength
      const key = byId.get(whole.subarray(mark.length, after).toString('hex'))
      if (!key) throw new SealError('key')
      const decipher = createDecipheriv('aes-256-gcm', key, whole.subarray(after, after + ivLength))
      decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(whole.subarray(after + ivLength, header))
      try {
        return Buffer.concat([decipher.update(whole.subarray(header)), decipher.final()])
      } catch {
        throw new SealError('changed')
      }
    },
    isCurrent(bytes) {
      const whole = asBuffer(bytes)
      return isSealed(whole) && whole.subarray(mark.length, mark.length + idLength).equals(id)
    },
  }
}

export function isSealed(bytes: Uint8Array): boolean {
  return bytes.length >= header && mark.equals(bytes.subarray(0, mark.length))
}

/** Names a key without telling anything of it. */
function idOf(key: Uint8Array): Buffer {
  return createHash('sha256').update('throughline key ').update(key).digest().subarray(0, idLength)
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
