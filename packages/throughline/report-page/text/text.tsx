import { useMemo } from 'preact/hooks'
import { sanitize } from '../../src/log/sanitize.ts'
import { ansiRuns } from './ansi.ts'
import { parseInline, parseMarkdown, type Block, type Inline } from './markdown.ts'

// A text this long is a paste; as plain text it is shown at once.
const longestMarkdown = 200_000

/** What somebody wrote, with its Markdown. */
export function Prose({ text }: { text: string }) {
  const blocks = useMemo(() => {
    const safe = sanitize(text)
    return safe.length > longestMarkdown ? undefined : parseMarkdown(safe)
  }, [text])
  if (!blocks) return <Plain text={text} />
  return <div class="prose">{blocks.map(shownBlock)}</div>
}

/** What a terminal printed, with its colours. */
export function Plain({ text }: { text: string }) {
  const runs = useMemo(() => ansiRuns(text), [text])
  return (
    // Its own scrolling is reached by keyboard.
    <pre tabIndex={0}>
      {runs.map(({ text: run, classes }) => (classes ? <span class={classes}>{run}</span> : run))}
    </pre>
  )
}

export function Line({ text }: { text: string }) {
  const inline = useMemo(() => parseInline(sanitize(text)), [text])
  return <>{inline.map(shownInline)}</>
}

function shownBlock(block: Block) {
  switch (block.type) {
    case 'paragraph':
      return <p>{block.inline.map(shownInline)}</p>
    case 'heading':
      // The headings of a message are none of the page's.
      return <p class={`heading heading-${block.level}`}>{block.inline.map(shownInline)}</p>
    case 'code':
      return <pre tabIndex={0}>{block.text}</pre>
    case 'quote':
      return <blockquote>{block.blocks.map(shownBlock)}</blockquote>
    case 'list': {
      const items = block.items.map((item) => <li>{item.map(shownBlock)}</li>)
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>
    }
    case 'table':
      return (
        <div class="scrolled" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell) => (
                  <th>{cell.map(shownInline)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row) => (
                <tr>
                  {row.map((cell) => (
                    <td>{cell.map(shownInline)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
    case 'rule':
      return <hr />
  }
}

function shownInline(node: Inline) {
  switch (node.type) {
    case 'text':
      return node.text
    case 'code':
      return <code>{node.text}</code>
    case 'strong':
      return <strong>{node.inline.map(shownInline)}</strong>
    case 'em':
      return <em>{node.inline.map(shownInline)}</em>
    case 'del':
      return <del>{node.inline.map(shownInline)}</del>
    case 'link':
      return (
        <a href={node.href} rel="noopener noreferrer nofollow" target="_blank" title={node.href}>
          {node.inline.map(shownInline)}
        </a>
      )
  }
}
