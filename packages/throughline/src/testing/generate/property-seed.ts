import fc from 'fast-check'
import { full } from './runs.ts'

// `npm test` tells of the change at hand: the same cases each time. `npm run test:full` looks for
// new ones, and prints the seed of what it finds.
if (!full) fc.configureGlobal({ seed: 20_261_122 })
