import { files } from './agent.ts'
import { drawsOf, identifierOf, pathOf, wordOf } from './text.ts'
import type { Search } from 'throughline/engine'

/** What somebody searches for in a session with this many steps. */
export interface Question {
  what: 'a rare identifier' | 'a path' | 'two common words'
  phrases: Search['phrases']
}

const ofEach = 15

export function questionsFor(steps: number): Question[] {
  const draw = drawsOf(steps)
  return Array.from({ length: ofEach }, (_, at): Question[] => {
    // Every third step, from the second on, runs a command that names its own identifier.
    const step = Math.floor((draw() * steps) / 3) * 3 + 2
    const path = pathOf(Math.floor(draw() * files))
    return [
      { what: 'a rare identifier', phrases: [[identifierOf(step).toLowerCase()]] },
      { what: 'a path', phrases: [path.toLowerCase().split(/[/.]/)] },
      { what: 'two common words', phrases: [[wordOf(at + 2)], [wordOf(at * 3 + 20)]] },
    ]
  }).flat()
}

/** The same in the words of SQLite's full-text search. */
export function matchOf({ phrases }: Question): string {
  return phrases.map((words) => `"${words.join(' ')}" *`).join(' AND ')
}
