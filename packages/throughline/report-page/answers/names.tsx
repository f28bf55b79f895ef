import { useState } from 'preact/hooks'
import { sanitizeLine } from '../../src/log/sanitize.ts'
import { entryHash } from '../data.ts'
import { whole } from '../numbers.ts'
import type { Lost } from '../../src/report/model.ts'

// More of a path's end than this leaves no room for its beginning.
const longestEnd = 34

/** A name where there may be no room for it: a path loses its beginning, which many have in common. */
function Name({ text, href }: { text: string; href: string }) {
  const at = endOf(text)
  return at === 0 ? (
    <a href={href} title={text}>
      {text}
    </a>
  ) : (
    <a href={href} title={text} class="elided">
      <span class="start">{text.slice(0, at)}</span>
      <span class="end">{text.slice(at)}</span>
    </a>
  )
}

/** Where the end of a path begins: at its file, with its directory if both are short. */
function endOf(text: string): number {
  if (/\s/.test(text)) return 0
  const file = Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\'))
  if (file <= 0) return 0
  const directory = Math.max(text.lastIndexOf('/', file - 1), text.lastIndexOf('\\', file - 1))
  return text.length - directory <= longestEnd ? Math.max(directory, 0) : file
}

/** Names with the entries that they stand in; the newest first. */
export function Names({
  name,
  all,
  open = 4,
}: {
  name: string
  all: readonly Lost[]
  open?: number
}) {
  const [more, setMore] = useState(false)
  if (all.length === 0) return null
  const shown = more ? all.toReversed() : all.slice(-open).toReversed()
  return (
    <div class="names">
      <h3>
        {name} <span class="count">{whole(all.length)}</span>
      </h3>
      <ul>
        {shown.map(({ name: text, seq }) => (
          <li>
            <Name text={sanitizeLine(text)} href={entryHash(seq)} />
          </li>
        ))}
      </ul>
      {all.length > shown.length && (
        <button type="button" class="more" onClick={() => setMore(true)}>
          {whole(all.length - shown.length)} more
        </button>
      )}
    </div>
  )
}
