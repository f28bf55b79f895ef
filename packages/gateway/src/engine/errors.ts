import { ThroughlineError } from 'throughline'

/** The thread in which sessions work has ended, or says nothing any more. */
export class EngineLostError extends ThroughlineError<'ENGINE_LOST'> {
  static override readonly code = 'ENGINE_LOST'

  constructor(why: string, options?: ErrorOptions) {
    super(
      EngineLostError.code,
      `The thread in which sessions are compacted ${why}. The next request starts another one.`,
      options,
    )
  }
}

/** An error as it goes from one thread to another. */
export interface CarriedError {
  name: string
  message: string
  /** Of an error of Throughline. */
  code?: string
  fields: Record<string, unknown>
}

const marker = Symbol.for('throughline.error')

export function carried(error: unknown): CarriedError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), fields: {} }
  const fields = Object.fromEntries(
    Object.entries(error).filter(([, value]) => isPlain(value)),
  ) as Record<string, unknown>
  const { name, message } = error
  return ThroughlineError.isInstance(error)
    ? { name, message, code: error.code, fields }
    : { name, message, fields }
}

/** The same for everyone who asks with `isInstance`. */
export function received({ name, message, code, fields }: CarriedError): Error {
  const error = Object.assign(new Error(message), fields)
  error.name = name
  if (code !== undefined) {
    Object.assign(error, { code })
    Object.defineProperty(error, marker, { value: true })
  }
  return error
}

function isPlain(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
