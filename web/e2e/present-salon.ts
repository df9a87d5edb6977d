import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Page } from '@playwright/test';
import { test } from '@playwright/test';
import { AppointmentState } from '../src/gen/frontdesk/scheduling/v1/appointment_pb';
import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { CatalogueService, SegmentKind } from '../src/gen/frontdesk/scheduling/v1/catalogue_pb';
import { OpeningExceptionService } from '../src/gen/frontdesk/scheduling/v1/opening_exception_pb';
import { ScheduleService } from '../src/gen/frontdesk/scheduling/v1/schedule_pb';
import { CustomerService } from '../src/gen/frontdesk/tenancy/v1/customer_pb';
import { EmployeeService } from '../src/gen/frontdesk/tenancy/v1/employee_pb';
import { dayAfter } from '../src/time/local';
import { localMinute } from '../src/time/zoned';
import { freshPage, inside, type Visit } from './browser';
import { RestClient } from './rest';
import { dayOf, LONDON } from './salon';
import { people, SECOND } from './stack';
import { useUndo } from './undo';

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
/** How long each visit takes. */
export const VISIT_MINUTES = 30;
/** Visits from the next quarter on take so much of today. */
const LATEST_MINUTE = 20 * 60;

/**
 * The second demo business, without visits but a file's own: what arrives, begins or runs late does so now, and the
 * first one's present day is full. It is open around the clock today and tomorrow, and two people work there.
 */
class PresentSalon {
  client!: RestClient;
  serviceId!: string;
  /** Who works there. */
  rosa!: string;
  theo!: string;
  readonly undo = useUndo();

  /** So many minutes after the next quarter of an hour. */
  at(minutes: number): Date {
    const next = Math.ceil((Date.now() + 5 * MINUTE_MS) / QUARTER_MS) * QUARTER_MS;
    return new Date(next + minutes * MINUTE_MS);
  }

  /** Whether today has no room left for visits. */
  isLate(): boolean {
    return localMinute(new Date(), LONDON).minute > LATEST_MINUTE;
  }

  /** A visit of a customer with a name of their own. */
  async book(name: string, employeeId: string, start: Date, phone = ''): Promise<string> {
    const { customer } = await this.client.call(CustomerService.method.createCustomer, {
      businessId: SECOND,
      name,
      ...(phone ? { phone } : {}),
    });
    const { appointment } = await this.client.call(AppointmentService.method.bookAppointment, {
      businessId: SECOND,
      items: [{ serviceId: this.serviceId, employeeId }],
      startsAt: timestampFromDate(start),
      customerId: customer?.id ?? '',
    });
    const id = appointment?.id ?? '';
    this.undo.push(() => this.leave(id));
    return id;
  }

  async bring(appointmentId: string, state: AppointmentState): Promise<void> {
    await this.client.call(AppointmentService.method.setAppointmentState, {
      businessId: SECOND,
      appointmentId,
      state,
    });
  }

  async visit(appointmentId: string) {
    const method = AppointmentService.method.getAppointment;
    const { appointment } = await this.client.call(method, { businessId: SECOND, appointmentId });
    if (!appointment) throw new Error('There is no such visit.');
    return appointment;
  }

  /** Frees a visit's time, whatever became of it. */
  async leave(appointmentId: string): Promise<void> {
    const { state } = await this.visit(appointmentId);
    if (state === AppointmentState.IN_SERVICE) await this.bring(appointmentId, AppointmentState.BOOKED);
    await this.client.call(AppointmentService.method.cancelAppointment, {
      businessId: SECOND,
      appointmentId,
    });
  }

  async page(path: string, visit: Visit = {}): Promise<Page> {
    const page = await freshPage({ as: people.admin, ...visit });
    await page.goto(`/${SECOND}${path}`);
    await inside(page);
    return page;
  }
}

export const [ROSA, THEO] = ['Rosa Vance', 'Theo Marsh'];

/** Opens it for a file of journeys. */
export function usePresentSalon(): PresentSalon {
  const salon = new PresentSalon();
  test.beforeAll(async () => {
    const client = await RestClient.as(people.admin);
    const today = dayOf(new Date());
    const lastDate = dayAfter(today, 1);
    const spans = [{ fromMinute: 0, toMinute: 1440 }];
    const { openingException } = await client.call(OpeningExceptionService.method.addOpeningException, {
      businessId: SECOND,
      firstDate: today,
      lastDate,
      spans,
      label: 'Open',
    });
    salon.undo.push(() =>
      client.call(OpeningExceptionService.method.removeOpeningException, {
        businessId: SECOND,
        openingExceptionId: openingException?.id ?? '',
      }),
    );
    const employee = async (name: string) => {
      const { employees } = await client.call(EmployeeService.method.listEmployees, { businessId: SECOND });
      const known = employees.find((one) => one.name === name);
      const method = EmployeeService.method.createEmployee;
      const { id } = known ??
        (await client.call(method, { businessId: SECOND, name })).employee ?? { id: '' };
      for (const date of [today, lastDate])
        await client.call(ScheduleService.method.setDayHours, {
          businessId: SECOND,
          employeeId: id,
          date,
          spans,
        });
      return id;
    };
    const [rosa, theo] = [await employee(ROSA), await employee(THEO)];
    const { service } = await client.call(CatalogueService.method.createService, {
      businessId: SECOND,
      service: {
        name: `Quick cut ${Date.now() % 1_000_000}`,
        category: 'Hair',
        segments: [{ kind: SegmentKind.ACTIVE, minutes: VISIT_MINUTES }],
        currency: 'GBP',
        priceMinor: 2500,
        employeeIds: [rosa, theo],
      },
    });
    const serviceId = service?.id ?? '';
    salon.undo.push(() =>
      client.call(CatalogueService.method.archiveService, { businessId: SECOND, serviceId }),
    );
    Object.assign(salon, { client, rosa, theo, serviceId });
  });
  return salon;
}
