const runs = /[A-Za-z0-9_.@~/-]{4,}/g
const outer = /^[^A-Za-z0-9_]+|[^A-Za-z0-9_]+$/g

/** Which whole words stand in texts already: they need not be written a second time. */
export class StandingWords {
  readonly #directories: readonly string[]
  readonly #words = new Set<string>()

  /** Paths are compared relative to the directories. */
  constructor(directories: readonly string[]) {
    this.#directories = directories
  }

  add(text: string): void {
    for (const [run] of text.matchAll(runs)) this.#words.add(this.#bare(run))
  }

  has(word: string): boolean {
    return this.#words.has(this.#bare(word))
  }

  #bare(word: string): string {
    const directory = word.startsWith('/')
      ? this.#directories.find((candidate) => word.startsWith(`${candidate}/`))
      : undefined
    const relative = directory === undefined ? word : word.slice(directory.length + 1)
    return relative.replace(outer, '')
  }
}
