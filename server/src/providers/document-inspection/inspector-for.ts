import type { Platform } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import { builtInInspector } from './built-in-inspector.ts'
import type { DocumentInspector } from './document-inspector.ts'
import { sandboxInspector } from './sandbox-inspector.ts'

/** File names decide nothing in production (DOC-17). */
export const inspectorFor = (platform: Pick<Platform, 'environment'>): DocumentInspector =>
  traitsOf(platform).hasMagicValues ? sandboxInspector : builtInInspector
