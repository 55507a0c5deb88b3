// The routes of a build with all protocols.

import { routesOf } from '../routes/index.ts'
import { TESTED_PROTOCOLS } from './tested-protocols.ts'

export const routes = routesOf(TESTED_PROTOCOLS)
