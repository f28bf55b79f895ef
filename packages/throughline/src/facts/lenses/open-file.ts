/** SWE-agent's editor names the open file below each output and above each window. */
const STATE = '(Open file: '
const WINDOW = '[File: '

/** The file that a call of such an editor changed: the one that was open. */
export function openFile(output: string | undefined): string | undefined {
  if (output === undefined) return undefined
  const tail = output.slice(-600)
  const state = tail.lastIndexOf(STATE)
  const line = state < 0 ? '' : (tail.slice(state + STATE.length).split('\n', 1)[0] ?? '')
  const open = line.endsWith(')') ? line.slice(0, -1) : ''
  if (open !== '' && open !== 'n/a') return open
  const window = output.indexOf(WINDOW)
  if (window < 0) return undefined
  const shown = output.slice(window + WINDOW.length, window + 600).split('\n', 1)[0] ?? ''
  const end = shown.lastIndexOf(' (')
  return end > 0 && /^ \(\d{1,9} lines total\)\]\r?$/.test(shown.slice(end))
    ? shown.slice(0, end)
    : undefined
}
