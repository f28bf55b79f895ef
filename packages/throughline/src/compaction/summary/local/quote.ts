/** The text as quoted lines: nothing in it can be taken for a heading, a fence or a list. */
export function quote(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => `> ${line}`)
}
