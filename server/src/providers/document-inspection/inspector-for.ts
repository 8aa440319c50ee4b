import type { Platform } from '../../kernel/platform.ts'
import { builtInInspector } from './built-in-inspector.ts'
import type { DocumentInspector } from './document-inspector.ts'
import { sandboxInspector } from './sandbox-inspector.ts'

/** File names decide nothing in production (DOC-17). */
export const inspectorFor = ({ environment }: Pick<Platform, 'environment'>): DocumentInspector =>
  environment === 'SANDBOX' ? sandboxInspector : builtInInspector
