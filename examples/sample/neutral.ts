/** The directory that the session is said to have taken place in. */
export const home = '/home/dev/throughline'

/** A text without the places and the times of the machine that it was made on. */
export function neutral(text: string, directory: string): string {
  return text
    .replaceAll(directory, home)
    .replaceAll(/\u001b\[[0-9;]*m/g, '')
    .split('\n')
    .filter((line) => !line.startsWith('npm warn Unknown user config'))
    .join('\n')
}

/** The output of a tool chain without what is new in each run: times, threads, figures of speed. */
export function withoutTimes(text: string): string {
  return (
    text
      .replaceAll(/\b\d+(?:\.\d+)?m?s\b/g, '10ms')
      .replaceAll(/Start at {2}[\d:]+/g, 'Start at  10:00:00')
      .replaceAll(/using \d+ threads/g, 'using 8 threads')
      .replaceAll(/(Duration {2}\S+) \(.*\)/g, '$1')
      // Which passing tests are named depends on how slow they were.
      .replaceAll(/^ {3,}✓ .*\n/gm, '')
      .replaceAll(/^\s+(?:Isolate|at least ~).*\n?/gm, '')
      .replaceAll(/(?:^ ✓ .*\n)+/gm, (passed) =>
        passed
          .split(/(?<=\n)/)
          .sort()
          .join(''),
      )
  )
}
