import fc from 'fast-check'
import { full } from './runs.ts'

// `npm test` checks the current change: it uses the same cases each time. `npm run test:full`
// searches for new cases, and prints the seed of what it finds.
if (!full) fc.configureGlobal({ seed: 20_261_122 })
