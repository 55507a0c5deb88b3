// The routes of a build with all protocols.

import { PROTOCOLS } from '@orrery/protocols'
import { routesOf } from '../routes/index.ts'

export const routes = routesOf(PROTOCOLS)
