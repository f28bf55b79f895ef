/**
 * The element in which Throughline writes what a client or a tool said in the user's place, where
 * nothing else would tell that no human said it.
 */
export const harnessElement = 'harness-message'

const open = `<${harnessElement}>\n`
const close = `\n</${harnessElement}>`

export function inHarnessElement(text: string): string {
  return `${open}${text}${close}`
}

/** What stands in such an element, where a text is nothing else. */
export function fromHarnessElement(text: string): string | undefined {
  if (!text.startsWith(open) || !text.endsWith(close) || text.length < open.length + close.length) {
    return undefined
  }
  return text.slice(open.length, -close.length)
}
