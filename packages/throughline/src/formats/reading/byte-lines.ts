const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

/** Bytes as text, and what is wrong with them, if anything; broken characters are replaced. */
export function decoded(bytes: Uint8Array): { text: string; damage: string } {
  try {
    return { text: strict.decode(bytes), damage: '' }
  } catch {
    const damage = 'not valid UTF-8; the broken characters were replaced'
    return { text: lenient.decode(bytes), damage }
  }
}

/** The text without the byte order mark that some tools put at the start of a file. */
export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/** The bytes of a file, whole or in chunks: a Node stream, a web stream, an array of buffers. */
export type ByteSource =
  | Uint8Array
  | string
  | Iterable<Uint8Array | string>
  | AsyncIterable<Uint8Array | string>

/** Longer lines are not read: no engine holds them as one string. */
export const longestLine = 256 * 1024 * 1024

const newline = 10
const piece = 256 * 1024

export interface LineSplitter {
  push: (chunk: Uint8Array) => void
  end: () => void
}

/**
 * Splits chunks into lines, without their newlines, in linear time: the pieces of a line that spans
 * chunks are joined once. A line longer than `longest` bytes is passed on as `undefined`.
 */
export function lineSplitter(
  onLine: (line: Uint8Array | undefined) => void,
  longest = longestLine,
): LineSplitter {
  let pieces: Uint8Array[] = []
  let length = 0

  function keep(bytes: Uint8Array): void {
    length += bytes.length
    if (length > longest) pieces = []
    else if (bytes.length > 0) pieces.push(bytes)
  }

  function finish(): void {
    onLine(length > longest ? undefined : joined(pieces, length))
    pieces = []
    length = 0
  }

  return {
    push(chunk) {
      let start = 0
      // Node's buffers have their own, far faster indexOf, so the chunk's method is called.
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        if (length === 0 && end - start <= longest) onLine(chunk.subarray(start, end))
        else {
          keep(chunk.subarray(start, end))
          finish()
        }
        start = end + 1
      }
      if (start < chunk.length) keep(chunk.subarray(start))
    },
    end() {
      if (length > 0) finish()
    },
  }
}

/** The pieces as one, `length` bytes in all. */
export function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  if (pieces.length === 1) return pieces[0] as Uint8Array
  const line = new Uint8Array(length)
  let at = 0
  for (const bytes of pieces) {
    line.set(bytes, at)
    at += bytes.length
  }
  return line
}

/** The source in chunks of limited size, so that the output from each one stays small. */
export async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  if (typeof source === 'string' || source instanceof Uint8Array) {
    yield* smallerChunks(source)
    return
  }
  for await (const chunk of source) yield* smallerChunks(chunk)
}

/** The same bytes in UTF-8, if a mark at their start says that they are UTF-16, as Windows writes it. */
export async function* inUtf8(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    const begun: Uint8Array[] = []
    let length = 0
    while (length < 2) {
      const next = await chunks.next()
      if (next.done) break
      begun.push(next.value)
      length += next.value.length
    }
    const head = joined(begun, length)
    const decoder = utf16In(head)
    if (!decoder) {
      yield head
      yield* chunks
      return
    }
    const encoder = new TextEncoder()
    yield encoder.encode(decoder.decode(head, { stream: true }))
    for await (const chunk of chunks) {
      yield encoder.encode(decoder.decode(chunk, { stream: true }))
    }
    yield encoder.encode(decoder.decode())
  } finally {
    await chunks.return(undefined)
  }
}

function utf16In([first, second]: Uint8Array): TextDecoder | undefined {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le')
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be')
  return undefined
}

function* smallerChunks(chunk: Uint8Array | string): Generator<Uint8Array> {
  const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
  if (bytes.length <= piece) {
    yield bytes
    return
  }
  for (let start = 0; start < bytes.length; start += piece) {
    yield bytes.subarray(start, start + piece)
  }
}
