/** The commands about clients and settings, which are loaded together. */
export { installCommand } from '../commands/install.ts'
export { statusCommand } from '../commands/status.ts'
export { doctorCommand } from '../commands/doctor/command.ts'
export { uninstallCommand } from '../commands/uninstall.ts'
export { configCommand } from '../commands/config/command.ts'
