import { useState } from 'preact/hooks'
import { sanitizeLine } from '../../src/log/sanitize.ts'
import type { PageData } from '../data.ts'

/** What somebody does next. */
export function ToDo({ toDo }: { toDo: PageData['toDo'] }) {
  return (
    <article class="card to-do">
      <h2>Undo it, or go on</h2>
      <dl>
        {toDo.map(({ command, does }) => (
          <div>
            <dt>
              <Command text={command} />
            </dt>
            <dd>{sanitizeLine(does)}</dd>
          </div>
        ))}
      </dl>
    </article>
  )
}

/** A command that somebody types into a terminal. */
function Command({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)
  const canCopy = typeof navigator.clipboard?.writeText === 'function'
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <>
      <code>{sanitizeLine(text)}</code>
      {canCopy && (
        <button type="button" onClick={() => void copy().catch(() => setCopied(false))}>
          {copied ? 'Copied' : 'Copy'}
        </button>
      )}
    </>
  )
}
