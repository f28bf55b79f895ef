import { useEffect, useState } from 'preact/hooks'
import { sanitizeLine } from '../../src/log/sanitize.ts'
import { short } from '../numbers.ts'
import type { ComponentChildren } from 'preact'
import type { Seq } from '../../src/log/entry.ts'

interface FoldedProps {
  title: string
  aside?: string
  length: number
  failed?: boolean | undefined
  state?: string | undefined
  seq?: Seq | undefined
  open: boolean
  children: ComponentChildren
}

/** Something that is drawn only when somebody opens it. */
export function Folded({ title, aside, length, failed, state, seq, open, children }: FoldedProps) {
  const [opened, setOpened] = useState(open)
  useEffect(() => {
    if (open) setOpened(true)
  }, [open])
  return (
    <details
      class={`folded ${failed ? 'failed' : ''}`}
      open={opened}
      onToggle={(event) => setOpened(event.currentTarget.open)}
      {...(seq !== undefined && { 'data-seq': seq })}
    >
      <summary>
        <span class="tool">{sanitizeLine(title)}</span>
        {aside ? <span class="subject">{sanitizeLine(aside)}</span> : null}
        <span class="quiet size">
          {failed ? <b class="bad">failed </b> : null}
          {state ?? (length > 0 ? `${short(length)} chars` : 'empty')}
        </span>
      </summary>
      {opened && <div class="inside">{children}</div>}
    </details>
  )
}
