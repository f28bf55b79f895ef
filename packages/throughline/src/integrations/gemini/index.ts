export { openGemini } from './open-gemini.ts'
export { usageOf as contentUsage } from '../../wires/gemini/wire.ts'
