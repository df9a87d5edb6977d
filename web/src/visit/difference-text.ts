import {
  type AppointmentDifference,
  AppointmentDifference_Kind as Kind,
} from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { EmployeeWish } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { minutesText } from '../time/zoned';

/** One thing that a change of a visit made different, as its history tells it. */
export function differenceText(difference: AppointmentDifference): string {
  const { kind, serviceName, guest, minutes } = difference;
  const service = serviceName || 'a service';
  const whose = guest > 0 ? ` of guest ${guest + 1}` : '';
  switch (kind) {
    case Kind.SERVICE_ADDED:
      return `Added ${service}${guest > 0 ? ` for guest ${guest + 1}` : ''}`;
    case Kind.SERVICE_REMOVED:
      return `Removed ${service}${whose}`;
    case Kind.LENGTH:
      return `${serviceName || 'A service'}${whose} takes ${minutesText(minutes)}`;
    case Kind.WISH:
      return `${serviceName || 'A service'}${whose}: ${wishedText(difference)}`;
    case Kind.NOTES:
      return 'Changed the notes';
    default:
      return 'Changed';
  }
}

function wishedText({ employeeWish, wishedEmployeeName }: AppointmentDifference): string {
  const name = wishedEmployeeName || 'one employee';
  switch (employeeWish) {
    case EmployeeWish.ONLY:
      return `stylist only ${name}`;
    case EmployeeWish.PREFERS:
      return `stylist rather ${name}`;
    default:
      return 'any stylist';
  }
}
