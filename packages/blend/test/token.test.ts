// The contract of every fold about a token's own instance.

import { tokenContract } from '@orrery/testkit/token-contract'
import { blend } from '../src/protocol.ts'
import { Scene } from './scene.ts'

tokenContract(blend, new Scene('v2').network)
