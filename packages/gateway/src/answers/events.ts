import { fieldsOf, type Fields } from '../body/json.ts'

/** Reads the events of an answer out of its bytes as they come. */
export interface EventReader {
  /** The events that these bytes complete; each is read when it is asked for. */
  read: (chunk: Buffer) => Iterable<Fields>
  /** Whether what has come ends inside of an event. */
  isInside: () => boolean
  /** The event that a body without an end mark holds. */
  end: () => Fields[]
}

// No event of a provider is longer; what is, is passed on unread.
const longest = 16 * 1024 * 1024

/**
 * The events of a stream (`data: {…}` up to an empty line), or the one that a whole answer is. Those
 * of a stream whose text is not wanted are passed over: to parse each word costs most of a stream.
 */
export function eventReader(
  isStream: boolean,
  isWanted: (text: string) => boolean = () => true,
): EventReader {
  const decoder = new TextDecoder()
  let open = ''
  let isTooLong = false

  function take(text: string): void {
    open = open.length + text.length > longest ? '' : open + text
    isTooLong ||= open === '' && text !== ''
  }

  function* completed(): Generator<Fields> {
    for (;;) {
      const end = /\r?\n\r?\n/.exec(open)
      if (!end) return
      const event = open.slice(0, end.index)
      open = open.slice(end.index + end[0].length)
      if (isWanted(event)) yield* parsed(dataIn(event))
    }
  }

  return {
    read(chunk) {
      take(decoder.decode(chunk, { stream: true }))
      return isStream ? completed() : []
    },
    isInside: () => open.trim() !== '',
    end: () => (isStream ? parsed(dataIn(open)) : isTooLong ? [] : parsed(open)),
  }
}

/** The data of an event: its lines that begin so. */
function dataIn(event: string): string {
  return event
    .split(/\r?\n/)
    .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trimStart()] : []))
    .join('\n')
}

function parsed(text: string): Fields[] {
  if (!text.startsWith('{') && !text.startsWith('[')) return []
  try {
    const value: unknown = JSON.parse(text)
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    return values.flatMap((one) => {
      const fields = fieldsOf(one)
      return fields ? [fields] : []
    })
  } catch {
    return []
  }
}
