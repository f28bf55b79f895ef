import { contextOf } from '../context/context.ts'
import { latest } from '../context/trusted-usage.ts'
import { chronological } from '../order.ts'

const log = chronological([])
latest(log)
latest(contextOf(log).items)
