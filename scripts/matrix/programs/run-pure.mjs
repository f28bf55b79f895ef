import { work } from './pure.mjs'

console.log(await work())
